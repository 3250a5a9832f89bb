"""Two versions of one memory become one file: a pure three-way merge by meaning, with its reasons.

         base                 what both sides came from; None where both created the file
        /    \\
    first    second           the order in which they are given does not matter
        \\    /
        merged                one valid memory file, and what was decided

    outcome     Side, Decision, Merged: what goes in, what comes out
    form        line ends, byte order mark and last line end
    threeway    the smallest rule: the side that changed
    sequence    what a side did to a sequence, and where two sides meet
    blocks      a Markdown text as paragraphs, items, fences, tables and the blank lines between
    dispute     several versions of one passage, written so that people and programs can read them
    rules       what each type does with a passage that both sides changed
    passage     one passage that both sides changed
    body        the text
    fields      the values of the header, field by field
    header      the lines of the header
    whole       the last resort: both files, whole, in one
    file        the merge of a file
    settle      a disputed file taken apart again, and settled
    mend        what a merge without meaning broke, taken apart into its two sides
"""
