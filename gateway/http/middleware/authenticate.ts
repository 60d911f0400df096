import { GatewayError } from "../../core/errors.ts";
import type { Address } from "../address.ts";
import type { ErrorFamily } from "../../contract/errors.ts";
import { cleanSecret } from "../../contract/secret.ts";
import type { KeyRing, RingKey } from "../../services/keys/key-ring.ts";
import { isThisMachine } from "./local-only.ts";
import type { Check, Context } from "../state.ts";
import type { WrongKeys } from "./wrong-keys.ts";

/** Query parameters in which clients of other providers send keys. */
const KEY_PARAMETERS = ["key", "api_key", "apikey", "api-key", "token", "access_token"] as const;

/**
 * Every /v1 operation needs a local key: `Authorization: Bearer sk-…`, and on Anthropic's routes and the model list
 * `x-api-key` too. A key in the address is refused even with a valid header, because addresses end up in logs and
 * histories; except in Google's dialect, whose clients use it, and at the beginning of the path, from which it was taken.
 * Ollama's clients may send none at all, if the owner has a key for them.
 */
export function authenticate(keyRing: KeyRing, wrongKeys: WrongKeys, address: () => Address): Check {
  return function checkKey(context: Context): void {
    const { family, pathKey } = context.state;
    const given = pathKey ?? (family === "google" ? readGoogleKey(context) : readGivenKey(context));
    if (given === null || (given === "" && family === "ollama")) {
      context.state.key = findKeyless(context, keyRing, address());
      return;
    }
    if (wrongKeys.any) wrongKeys.check(context.req.socket);
    try {
      context.state.key = keyRing.authenticate(given);
    } catch (error) {
      wrongKeys.note(context.req.socket, given);
      throw error;
    }
  };
}

const HEADERS: Readonly<Partial<Record<ErrorFamily, string>>> = {
  google: "x-goog-api-key: sk-…",
  ollama:
    "Authorization: Bearer sk-…, begin the path with it (http://127.0.0.1:6174/sk-… as the base URL), or choose on the Keys page which key is used for Ollama requests without one",
};

/** Fields that a reverse proxy adds. */
const FORWARDING = ["forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"];

/**
 * Returns the key for Ollama requests without one: from this machine, under its own names, and from no other site. A
 * reverse proxy of this machine says for whom it asks.
 * @throws GatewayError invalid_api_key, key_disabled, key_expired
 */
function findKeyless({ state, req }: Context, keyRing: KeyRing, { hosts }: Address): RingKey {
  const { headers, socket } = req;
  const isLocal =
    isThisMachine(socket.remoteAddress ?? "", socket.localAddress) &&
    hosts.has((headers.host ?? "").toLowerCase()) &&
    !state.isCrossOrigin &&
    FORWARDING.every((name) => headers[name] === undefined);
  const key = state.family === "ollama" && isLocal ? keyRing.keyless : null;
  if (key !== null) return key;
  const header = HEADERS[state.family] ?? "Authorization: Bearer sk-…";
  throw new GatewayError("invalid_api_key", `No key was given. Send a local key of Postern as: ${header}`);
}

function readGivenKey(context: Context): string | null {
  const { headers, url } = context.req;
  if (url !== undefined && url.includes("?")) refuseKeyInQuery(context.query);
  const bearer = getBearer(headers.authorization);
  const second = headers["x-api-key"];
  const apiKey = typeof second === "string" ? readKey(second) : null;
  if (apiKey !== null && bearer !== null && bearer !== apiKey) {
    throw new GatewayError(
      "conflicting_credentials",
      "Authorization and x-api-key hold different keys. Send one of them.",
    );
  }
  return bearer ?? (takesApiKey(context) ? apiKey : null);
}

/** Google's clients send `x-goog-api-key`, and samples of its REST interface `?key=`, which no log has: logs leave queries out. */
function readGoogleKey({ req: { headers }, query }: Context): string | null {
  const header = headers["x-goog-api-key"];
  const given = [
    getBearer(headers.authorization),
    // The header is empty in requests of clients that authenticate by a bearer token (Gemini CLI 0.61, 2026-11-29).
    typeof header === "string" && header !== "" ? readKey(header) : null,
    typeof query["key"] === "string" ? readKey(query["key"]) : null,
  ].filter((key) => key !== null);
  if (new Set(given).size > 1 || Array.isArray(query["key"])) {
    throw new GatewayError(
      "conflicting_credentials",
      "Authorization, x-goog-api-key and the address hold different keys. Send one of them.",
    );
  }
  return given[0] ?? null;
}

/** Reads the key of an `Authorization` header; null without a header, empty for any scheme but bearer. */
export function getBearer(header: string | undefined): string | null {
  if (header === undefined) return null;
  // The scheme is case-insensitive (RFC 9110, 11.1).
  const [, key] = /^bearer +(.*)$/is.exec(header) ?? [];
  return key === undefined ? "" : readKey(key);
}

/** Cleans a key as it was pasted into a client; Node reads the bytes of invisible characters as Latin-1. */
function readKey(text: string): string {
  return /^[\w-]+$/.test(text)
    ? text
    : cleanSecret(Buffer.from(text, "latin1").toString("utf8").replaceAll("\uFFFD", ""));
}

/**
 * Tells whether the path takes an API key: for a missing path of Anthropic's, its SDK should report that rather than a
 * missing key.
 */
function takesApiKey({ path, state }: Context): boolean {
  return state.family === "anthropic" || path === "/v1/models" || path.startsWith("/v1/models/");
}

function refuseKeyInQuery(query: Context["query"]): void {
  const named = KEY_PARAMETERS.some((name) => query[name] !== undefined);
  const shaped = Object.values(query)
    .flat()
    .some((value) => value?.startsWith("sk-") === true);
  if (named || shaped) {
    throw new GatewayError(
      "invalid_api_key",
      "A key in the address is not accepted. Send it as: Authorization: Bearer sk-…",
    );
  }
}
