"""`python -m trialyst` is the command line."""

from trialyst.interfaces.cli import main

if __name__ == "__main__":
    main()
