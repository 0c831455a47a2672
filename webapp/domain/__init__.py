"""What people do with the program, without Flask and without click: judging, readings, games, history."""
