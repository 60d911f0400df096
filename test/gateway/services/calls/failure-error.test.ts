import { expect, it } from "vitest";
import { failureError } from "../../../../gateway/services/calls/failure-error.ts";
import { makeConnection } from "../../../../gateway/services/connections/connection.ts";
import { UpstreamFailure, type FailureKind } from "../../../../gateway/upstream/failure.ts";
import { providers } from "../../../../gateway/providers/registry.ts";

const connection = makeConnection({
  id: "c1",
  provider: providers.xai,
  name: "xAI",
  baseUrl: "https://provider.example/v1",
  priority: 0,
  enabled: true,
  from: "created",
  createdAt: 0,
  credentials: [{ secret: "xai-secret-0001", hint: "…0001" }],
});
const [credential] = connection.credentials;
const KINDS: readonly FailureKind[] = [
  "refused",
  "head_timeout",
  "gap_timeout",
  "broken",
  "malformed",
  "too_large",
  "aborted",
];

it.each(KINDS)("%s: the provider may have started where the request was sent, and only there", (kind) => {
  if (credential === undefined) throw new Error("the connection has no key");
  for (const sent of [true, false]) {
    const failure = new UpstreamFailure(kind, sent, "it broke");
    expect(failureError(failure, connection, credential).details.uncertain).toBe(sent);
  }
});
