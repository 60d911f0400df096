import { useEffect, useRef, type RefObject } from "react";

/** Moves the focus of a form to its first field that was refused. `errors` is a new object at each refusal. */
export function useFocusInvalid(errors: object): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [errors]);
  return form;
}
