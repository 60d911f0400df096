import { useEffect, useState } from "react";

/** Returns a value after it has been stable for a while, e.g. when typing pauses. */
export function useDebounced<Value>(value: Value, milliseconds: number): Value {
  const [settled, settle] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => settle(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}
