import { describe, expect, it } from "vitest";
import type { RunningRequest } from "../../../gateway/contract/requests.ts";
import { withEnded, type RunningView } from "../../../renderer/api/running.ts";

const request = (at: number): RunningRequest => ({
  id: `req_${at}`,
  at,
  key: "key_1",
  endpoint: "chat",
  model: "m",
  provider: "openai",
  connection: "con_1",
  client: "curl",
  stream: true,
  sandbox: false,
  state: "waiting",
  characters: null,
});
const after = (...responses: readonly (readonly number[])[]): RunningView | undefined =>
  responses.reduce<RunningView | undefined>((view, ats) => withEnded(view, { data: ats.map(request) }), undefined);
const shown = (view: RunningView | undefined): readonly number[] => (view?.data ?? []).map(({ at }) => at);

describe("what runs, from response to answer", () => {
  it.each([
    [[[3, 2, 1]], [3, 2, 1]],
    [
      [
        [3, 2, 1],
        [3, 1],
      ],
      [3, 2, 1],
    ],
    [
      [
        [3, 2, 1],
        [3, 1],
        [3, 1],
      ],
      [3, 1],
    ],
    [
      [
        [2, 1],
        [4, 2],
      ],
      [4, 2, 1],
    ],
    [[[1], [], []], []],
  ])("%j shows %j", (responses, expected) => {
    expect(shown(after(...responses))).toEqual(expected);
  });

  it("is the newest that is reported of a request", () => {
    const view = withEnded(after([1]), { data: [{ ...request(1), state: "answering", characters: 3 }] });
    expect(view.data).toMatchObject([{ state: "answering", characters: 3 }]);
  });
});
