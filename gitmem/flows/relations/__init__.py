"""The verbs that look at how memories relate: related, path, graph, entities."""
