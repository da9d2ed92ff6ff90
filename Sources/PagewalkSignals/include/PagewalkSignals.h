#ifndef PAGEWALK_SIGNALS_H
#define PAGEWALK_SIGNALS_H

// Flags that a signal handler shares with other threads. C has atomic access that is safe in a handler, and
// Swift's needs macOS 15. All flags are read and written in one order.

/// Whether a flag is set.
int pagewalk_flag_is_set(const int *flag);

/// Sets a flag, or clears it if the value is 0.
void pagewalk_flag_set(int *flag, int value);

/// Clears a flag; returns whether it was set.
int pagewalk_flag_take(int *flag);

#endif
