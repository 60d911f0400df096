/** What a call would cost, and whether its key has that. */
export interface Quote {
  /** The public id of the model. */
  readonly model: string;
  /** 10⁻⁹ USD that it costs at most as it would be sent now; null when the model has no known price. */
  readonly nano: number | null;
  /** 10⁻⁹ USD that have to be left for the call to be let in, with a shorter answer; without a known price an assumed one is held. */
  readonly least: number;
  /** Whether nothing in the call bounds its answer: `nano` is that of the longest, or of what the key has left for it. */
  readonly open: boolean;
  /** 10⁻⁹ USD that the key, or the app's budget, has left for it; null without a limit. */
  readonly remaining: number | null;
  readonly sandbox: boolean;
}

/**
 * Ends a call that only asked for its price. Thrown, because it passes through the same stories as a real call, each
 * with its own checks and prices, up to the moment where money would be held: a quote cannot differ from the call.
 */
export class Quoted extends Error {
  override readonly name = "Quoted";
  readonly quote: Quote;

  constructor(quote: Quote) {
    super("only the price was asked for");
    this.quote = quote;
  }
}
