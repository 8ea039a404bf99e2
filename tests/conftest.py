"""What all tests need."""

import signal

# A shell that runs the tests in the background has interrupts ignored, and every child would inherit that:
# the tests that interrupt a program would wait in vain.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
