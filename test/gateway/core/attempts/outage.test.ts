import { expect, it } from "vitest";
import { HEALTHY, type Health } from "../../../../gateway/core/attempts/breaker.ts";
import { unavailable } from "../../../../gateway/core/attempts/outage.ts";

const NOW = 100_000;
const createRefusal = (name: string, state: Health["state"], until: number, since = 88_400) => ({
  name,
  health: { ...HEALTHY, state, until, since, reason: "a secret of another client" },
});
const REFUSED = "A refuses the key that Postern holds for it, as of 12 s ago. Replace the key on the Providers page.";
const EMPTY = "The account behind B is out of credit, as of 12 s ago. Top it up with the provider.";
const OPEN = "C does not work as of 12 s ago, and is being tried right now. Try again in a moment.";

it.each([
  ["a refused key", [createRefusal("A", "refused", 130_000)], "vendor_auth", 30, REFUSED],
  ["an empty account", [createRefusal("B", "out_of_credit", 130_000)], "vendor_out_of_credit", 30, EMPTY],
  ["a failing provider", [createRefusal("C", "open", 100_500)], "no_upstream", 1, OPEN],
  [
    "two keys of one provider and another provider that is asked before them",
    [
      createRefusal("A", "refused", 150_000),
      createRefusal("A", "refused", 150_000),
      createRefusal("B", "out_of_credit", 130_000),
    ],
    "vendor_out_of_credit",
    30,
    `${REFUSED} ${EMPTY}`,
  ],
  [
    "a key that was just refused",
    [createRefusal("A", "refused", 160_000, NOW)],
    "vendor_auth",
    60,
    REFUSED.replace("12", "1"),
  ],
])("of %s says what is wrong and when to try again", (_what, keys, code, retryAfter, message) => {
  const error = unavailable("A, B", keys, NOW);
  expect([error.code, error.details.retryAfter, error.message]).toEqual([code, retryAfter, message]);
});

it("says that keys cannot be opened where there are no others", () => {
  const error = unavailable("A, B", [], NOW);
  expect([error.code, error.details.retryAfter]).toEqual(["no_upstream", undefined]);
  expect(error.message).toContain("The keys of A, B cannot be opened on this start.");
});
