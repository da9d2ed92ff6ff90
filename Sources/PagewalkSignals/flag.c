#include "PagewalkSignals.h"

int pagewalk_flag_is_set(const int *flag) {
  return __atomic_load_n(flag, __ATOMIC_SEQ_CST) != 0;
}

void pagewalk_flag_set(int *flag, int value) {
  __atomic_store_n(flag, value, __ATOMIC_SEQ_CST);
}

int pagewalk_flag_take(int *flag) {
  return __atomic_exchange_n(flag, 0, __ATOMIC_SEQ_CST) != 0;
}
