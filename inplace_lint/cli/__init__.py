"""The command line: `main` parses, one module a subcommand does the work."""
