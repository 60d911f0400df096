/** Names of URL parameters that usually contain a key. */
const SECRET_NAME = /key|token|secret|pass|auth|bearer|credential/i;

/** Beginnings of providers' keys, and any long run that reads like one: letters and digits without a word in it. */
const SECRET_START = /(^|[^a-z0-9])(sk|pk|rk|xai|gsk|pa|hf|whsec|bearer)[-_ ][a-z0-9_-]{8,}|AIza[\w-]{10,}/i;
const LONG_RUN = /[A-Za-z0-9_-]{28,}/g;

/** Tells whether a URL parameter has the name of a key. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a value of a link or an address reads like a key. Links may be logged, shared and guessed at; keys are pasted. */
export function looksSecret(value: string): boolean {
  if (SECRET_START.test(value)) return true;
  // Ids of tasks, requests and media are also long random strings, but have a prefix.
  if (/^(vt|req|task|media|med|cgt|video)[-_][\w-]+$/.test(value)) return false;
  return (value.match(LONG_RUN) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run));
}

/** Whether an address carries a login, a fragment, or a parameter that is named or reads like a key. */
export function holdsSecret({ username, password, hash, searchParams }: URL): boolean {
  if (username !== "" || password !== "" || hash !== "") return true;
  return [...searchParams].some(([name, value]) => namesSecret(name) || looksSecret(value));
}
