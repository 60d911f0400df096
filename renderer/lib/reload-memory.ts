/**
 * State that a page hands over when the desktop app releases its hidden window, and takes back when the window is made
 * again (main/shell/window-rest.ts). It goes into the state of the current history entry, which Electron keeps with
 * the others. State that cannot be serialized keeps the window.
 */
const NAME = "kept";

/** The event that asks whether the page can be let go of; refused by `preventDefault`. */
const REST = "rest";

const restored = takeRestored();
const keepers = new Map<string, () => unknown>();

function takeRestored(): Readonly<Record<string, unknown>> {
  const state: unknown = typeof history === "undefined" ? null : history.state;
  if (!isPlainObject(state) || !isPlainObject(state[NAME])) return {};
  // Once: a reload that follows begins again.
  history.replaceState(null, "");
  return state[NAME];
}

/**
 * Has a value handed over under this name. The first of a name stands.
 * @param value what is there then; `undefined` keeps the window
 * @returns what was handed over the last time, or undefined
 */
export function keep(name: string, value: () => unknown): unknown {
  if (!keepers.has(name)) keepers.set(name, value);
  return restored[name];
}

/** Objects, lists, texts and numbers: what comes back as it was. */
export function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (isPlainObject(value)) return Object.values(value).every(isPlain);
  return value === null || value === undefined || ["string", "number", "boolean"].includes(typeof value);
}

function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Asks the page as the shell does. @returns whether nothing would be lost; what is kept is handed over then. */
export function offerRest(): boolean {
  return window.dispatchEvent(new Event(REST, { cancelable: true }));
}

/** Answers the event from now on. */
export function handOverOnRest(): void {
  window.addEventListener(REST, (event) => {
    const values = Object.fromEntries([...keepers].map(([name, value]) => [name, value()]));
    if (Object.values(values).includes(undefined)) event.preventDefault();
    // State that was not read since the last time is handed on.
    else history.replaceState({ [NAME]: { ...restored, ...values } }, "");
  });
}
