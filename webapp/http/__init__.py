"""What every request needs: the application's things, languages, access, errors as answers."""
