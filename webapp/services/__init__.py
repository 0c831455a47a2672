"""What people do with the program: each use case once, whoever asks. No Flask and no SQL."""
