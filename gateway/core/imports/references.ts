/** References to environment variables in place of values, in the formats of programs. */

/** A secret as its program would use it, or the reason why it is not there. */
export type Resolved = { readonly value: string } | { readonly reason: "secret-missing" };

type Env = Readonly<Record<string, string | undefined>>;

/** `$KEY` and `${KEY}`, anywhere in a text, as shells write them; a `$` before small letters is a part of a password. */
const SHELL = /\$\{([^}]+)\}|\$([A-Z_][A-Z0-9_]*)/g;
/** LiteLLM's `os.environ/KEY`, Bifrost's `env.KEY`, opencode's `{env:KEY}`: the whole text. */
const WHOLE = /^(?:os\.environ\/|env\.|\{env:)([A-Za-z_]\w*)\}?$/;

/** `text` with the values of the variables that it names; null where one of them is not set. */
export function withVariables(text: string, env: Env): string | null {
  let isSet = true;
  const value = text.replace(SHELL, (_, braced: string | undefined, bare: string | undefined) => {
    const found = variable(env, braced ?? bare ?? "");
    isSet &&= found !== null;
    return found ?? "";
  });
  return isSet ? value : null;
}

/**
 * A secret, where it is written down or the variable that it names is set.
 * @param shell whether the program reads `$KEY` as a variable
 */
export function resolveReferences(text: string, env: Env, shell = false): Resolved {
  const named = WHOLE.exec(text.trim())?.[1];
  const value = named !== undefined ? variable(env, named) : shell ? withVariables(text, env) : text;
  return value === null || value.trim() === "" ? { reason: "secret-missing" } : { value: value.trim() };
}

/** Null if unset or empty. */
export function variable(env: Env, name: string): string | null {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === undefined || value === "" ? null : value;
}
