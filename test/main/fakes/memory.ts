import type { DesktopMemory } from "../../../main/desktop-memory.ts";

/** A memory that forgets everything with the test. */
export function memoryOf(start: Partial<DesktopMemory["value"]> = {}): DesktopMemory {
  let value: DesktopMemory["value"] = {
    window: null,
    toldAboutTray: false,
    closeToTray: true,
    toldNoKeychain: false,
    notifications: true,
    appearance: { language: null, theme: "system" },
    toldBudgets: {},
    ...start,
  };
  return {
    get value() {
      return value;
    },
    update(change) {
      value = { ...value, ...change };
    },
    written: () => Promise.resolve(),
  };
}
