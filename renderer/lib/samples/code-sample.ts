import { formatCurlSample } from "./curl.ts";
import { formatPythonSample } from "./python.ts";
import { KEY_VARIABLE, type SampleKey, type SampleRequest } from "./sample-request.ts";
import { formatTypescriptSample } from "./typescript.ts";

/** Languages of code samples. */
export const sampleKinds = ["curl", "python", "typescript"] as const;
export type SampleKind = (typeof sampleKinds)[number];

/** Names, the same in every language. */
export const sampleLabels: Readonly<Record<SampleKind, string>> = {
  curl: "curl",
  python: "Python",
  typescript: "TypeScript",
};

const SAMPLES: Readonly<Record<SampleKind, (origin: string, request: SampleRequest, key: SampleKey) => string>> = {
  curl: formatCurlSample,
  python: formatPythonSample,
  typescript: formatTypescriptSample,
};

/**
 * Formats a call as code for use outside of these pages.
 * @param origin Postern's own origin, e.g. http://127.0.0.1:6174
 */
export function codeSample(kind: SampleKind, origin: string, request: SampleRequest, key = KEY_VARIABLE): string {
  return SAMPLES[kind](origin, request, key);
}
