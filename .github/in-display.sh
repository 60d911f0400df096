#!/bin/sh
# in-display.sh COMMAND…: runs it as in a small desktop: a display, a window manager and a session bus. Linux only;
# elsewhere the machine has its own.
[ "$(uname)" = Linux ] || exec "$@"
exec dbus-run-session -- xvfb-run --auto-servernum --server-args="-screen 0 1440x900x24" \
  sh -c 'openbox & exec "$@"' desktop "$@"
