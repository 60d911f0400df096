/**
 * State that a page saves when the desktop app unloads its hidden window, and restores when the window is recreated
 * (main/shell/window-rest.ts). It is stored in the current history entry, which Electron preserves. State that cannot
 * be serialized keeps the window.
 */
const NAME = "kept";

/** Event that asks whether the page can be unloaded; `preventDefault` refuses. */
const REST = "rest";

const restored = takeRestored();
const keepers = new Map<string, () => unknown>();

function takeRestored(): Readonly<Record<string, unknown>> {
  const state: unknown = typeof history === "undefined" ? null : history.state;
  if (!isPlainObject(state) || !isPlainObject(state[NAME])) return {};
  // Restored once: a later reload starts fresh.
  history.replaceState(null, "");
  return state[NAME];
}

/**
 * Registers a value to save under this name. The first registration of a name wins.
 * @param value returns the value; `undefined` keeps the window
 * @returns the last saved value, or undefined
 */
export function keep(name: string, value: () => unknown): unknown {
  if (!keepers.has(name)) keepers.set(name, value);
  return restored[name];
}

/** Tells whether a value consists of objects, lists, strings and numbers, which survive serialization. */
export function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (isPlainObject(value)) return Object.values(value).every(isPlain);
  return value === null || value === undefined || ["string", "number", "boolean"].includes(typeof value);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Asks the page whether it can be unloaded, and saves its state. @returns whether nothing would be lost */
export function offerRest(): boolean {
  return window.dispatchEvent(new Event(REST, { cancelable: true }));
}

/** Answers the event from now on. */
export function handOverOnRest(): void {
  window.addEventListener(REST, (event) => {
    const values = Object.fromEntries([...keepers].map(([name, value]) => [name, value()]));
    if (Object.values(values).includes(undefined)) event.preventDefault();
    // State that was not read since the last time is preserved.
    else history.replaceState({ [NAME]: { ...restored, ...values } }, "");
  });
}
