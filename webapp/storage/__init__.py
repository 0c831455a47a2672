"""What is kept: the only room that knows the database and the files beside it."""
