import type { Lesson } from "../../providers/lessons.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Store } from "../../store/store.ts";
import type { Connections } from "../connections/connections.ts";
import { keepDiscovery } from "../models/keep-discovery.ts";
import type { Candidate } from "../models/served-model.ts";

export interface LearnLessonsDeps {
  readonly store: Pick<Store, "commitRelaxed">;
  readonly clock: Clock;
  readonly connections: Pick<Connections, "notifyChange">;
  readonly log: Log;
}

/** Max lessons per connection: a server that contradicts itself teaches nothing. */
const MOST_KEPT = 200;

/** Keeps what servers teach of themselves by their refusals, so that the next call is sent as they take it. */
export class LearnLessons {
  readonly #deps: LearnLessonsDeps;

  constructor(deps: LearnLessonsDeps) {
    this.#deps = deps;
  }

  keep({ connection, upstreamModel: model }: Candidate, lesson: Lesson): void {
    const { store, clock, connections, log } = this.#deps;
    const { origin, learned } = connection;
    const others = learned.filter(
      (each) => !(each.model === model && each.lesson === lesson && each.origin === origin),
    );
    connection.learned = [...others, { model, origin, lesson, at: clock.now() }].slice(-MOST_KEPT);
    log.info("connection.learned", { connection: connection.id, model, lesson });
    if (connection.from !== "sandbox") store.commitRelaxed(keepDiscovery(connection));
    connections.notifyChange();
  }
}
