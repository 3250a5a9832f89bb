"""Who is acting, what they may do, and what an answer leaves out for them."""
