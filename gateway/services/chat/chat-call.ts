import type { Units } from "../../core/models/model.ts";
import type { Client, StreamWriter } from "../calls/client.ts";
import type { CallInput, PaidCall } from "../calls/paid-call.ts";
import type { ChatMoney } from "./chat-money.ts";
import type { Dialect } from "./dialect.ts";
import type { Speaker } from "./speak.ts";

/** A conversation as it came in, in any dialect. */
export interface ChatInput extends CallInput {
  readonly raw: Buffer;
  readonly body: unknown;
  /** Headers that belong to the dialect, for providers that speak it: `anthropic-version`, `anthropic-beta`, … */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request on its way through the story. */
export interface ChatCall {
  readonly paid: PaidCall;
  /** The client's. */
  readonly dialect: Dialect;
  readonly reply: Client & StreamWriter;
}

/** A call whose model is known. */
export interface SpokenCall extends ChatCall {
  readonly speaker: Speaker;
  readonly money: ChatMoney;
}

/** The prompt as we count it, for answers whose provider does not report. */
export function promptUnits({ money }: SpokenCall): Units {
  return money.likely;
}
