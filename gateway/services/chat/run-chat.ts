import type { ItemMemory } from "../../codecs/responses-to-chat/item-memory.ts";
import { applyChatRules } from "../../core/chat/chat-rules.ts";
import { isRecord } from "../../lib/records.ts";
import type { Attempts } from "../calls/attempts.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import { ANSWER_PATIENCE, PaidCall, STREAM_PATIENCE } from "../calls/paid-call.ts";
import type { PaidCallDeps } from "../calls/paid-call.ts";
import type { WholeAnswer } from "../calls/whole-answer.ts";
import type { Candidate } from "../models/routes.ts";
import { breakOff } from "./break-off.ts";
import type { ChatCall, ChatInput } from "./chat-call.ts";
import { answerStream } from "./chat-deliver.ts";
import type { StreamDeps } from "./chat-deliver.ts";
import { ChatMoney } from "./chat-money.ts";
import { answerWhole } from "./chat-whole.ts";
import type { Dialect } from "./dialect.ts";
import { Speaker, nativeFirst } from "./speak.ts";
import { StreamHead } from "./stream-head.ts";

export interface RunChatDeps extends PaidCallDeps, StreamDeps {
  /** A fresh id: base62, 24 characters. */
  readonly newId: () => string;
  /** What was answered lately in the Responses dialect. */
  readonly items: ItemMemory;
}

/**
 * The story of a conversation, in whatever dialect: resolve, rules, access, limits, hold, provider, meter, settle. The
 * provider may speak another dialect than the client: then the same path has a translation in it.
 */
export class RunChat {
  readonly #deps: RunChatDeps;

  constructor(deps: RunChatDeps) {
    this.#deps = deps;
  }

  /**
   * @param takeOver called right before a stream begins; from then on `reply` is written to directly.
   * @returns the whole answer; null when it was streamed or nobody is there to take it.
   * @throws GatewayError for everything that ends before a byte was sent.
   */
  async run(
    dialect: Dialect,
    input: ChatInput,
    reply: Client & StreamWriter,
    takeOver: () => void,
  ): Promise<WholeAnswer | null> {
    const asked = isRecord(input.body) ? input.body : {};
    const paid = new PaidCall(this.#deps, input, dialect.name, asked["model"], asked["stream"] === true);
    const call: ChatCall = { paid, dialect, reply };
    const head = new StreamHead(reply, takeOver, this.#deps.clock, dialect.heartbeat);
    try {
      return await this.#serve(call, input, head);
    } catch (error) {
      return breakOff(call, head, takeOver, error);
    }
  }

  async #serve(call: ChatCall, input: ChatInput, head: StreamHead): Promise<WholeAnswer | null> {
    const { paid, dialect, reply } = call;
    const checked = dialect.check(input.body);
    const route = await paid.route(checked.model, "chat");
    const { body, changed } =
      dialect.name === "chat" ? applyChatRules(checked, route.spec, route.id) : { body: checked, changed: false };

    const { raw, headers } = input;
    const speaker = new Speaker({ dialect, raw, body, changed, headers }, route, {
      now: () => this.#deps.clock.now(),
      newId: this.#deps.newId,
      items: this.#deps.items,
    });
    const money = new ChatMoney(body, route, speaker);
    paid.admit(
      route,
      (remaining) => money.wanted(remaining),
      (candidate) => money.likelyAt(candidate),
    );
    const stream = body["stream"] === true;
    const candidates = nativeFirst(route.candidates, dialect.name);
    const ask = (asked: readonly Candidate[], client: Client): Attempts =>
      paid.attempts(
        asked,
        client,
        stream ? STREAM_PATIENCE : ANSWER_PATIENCE,
        (candidate, { secret }) =>
          speaker.wire(candidate, secret, money.boundAt(candidate, paid.record.held), (rules, said) =>
            paid.reaches(rules, said),
          ),
        () => money.most,
      );
    const attempts = ask(candidates, reply);
    const spoken = { ...call, speaker, money };
    if (!stream) {
      return answerWhole(spoken, attempts, (client) =>
        ask(
          candidates.filter(({ connection }) => connection.provider[dialect.name] === null),
          client,
        ),
      );
    }
    await answerStream(this.#deps, spoken, attempts, body, head);
    return null;
  }
}
