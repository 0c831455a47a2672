"""What a photo shows: from bytes to a reading of the 4 x 5 window."""
