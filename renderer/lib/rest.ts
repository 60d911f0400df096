/** Passes a value on once no other one came for a while: what a jump passes by is not asked for. */
export interface Rest<Value> {
  /** At once when `now`, else after the wait. The same value again does not wait longer. */
  pass(value: Value, now: boolean): void;
  stop(): void;
}

export function createRest<Value>(
  waitMs: number,
  same: (a: Value, b: Value) => boolean,
  receive: (value: Value) => void,
): Rest<Value> {
  let waiting: { readonly value: Value; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  const stop = (): void => {
    clearTimeout(waiting?.timer);
    waiting = undefined;
  };
  return {
    pass(value, now) {
      if (!now && waiting !== undefined && same(waiting.value, value)) return;
      stop();
      if (now) return receive(value);
      const timer = setTimeout(() => {
        waiting = undefined;
        receive(value);
      }, waitMs);
      waiting = { value, timer };
    },
    stop,
  };
}
