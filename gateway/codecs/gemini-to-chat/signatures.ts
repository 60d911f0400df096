import { isCarried } from "../carried-thinking.ts";

/** The signature of a part: what Postern wrote for another provider, or Google's own. */
export type PartSignature = { readonly carried: string } | { readonly own: string } | null;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Base64 in its usual alphabet: Google's Python SDK writes bytes in that of addresses (google-genai 2.3, pydantic, 2026-11-29). */
export function writeStandardBase64(data: string): string {
  return data.includes("-") || data.includes("_") ? data.replaceAll("-", "+").replaceAll("_", "/") : data;
}

const decode = (base64: string): string => Buffer.from(base64, "base64").toString("latin1");

/** Reads `thoughtSignature`, which is base64 in Google's dialect. Never throws. */
export function readPartSignature(given: unknown): PartSignature {
  if (typeof given !== "string" || given === "") return null;
  const base64 = writeStandardBase64(given);
  if (!BASE64.test(base64)) return null;
  // The prefix identifies the provider.
  if (!isCarried(decode(base64.slice(0, 40)))) return { own: base64 };
  return { carried: decode(base64) };
}

/** Writes what a provider wants back with its thinking as a signature that Google's clients return unchanged. */
export const writePartSignature = (carried: string): string => Buffer.from(carried, "latin1").toString("base64");
