import type { Clock } from "../gateway/lib/clock.ts";
import { readLink } from "./policy/deep-link.ts";
import type { Notice } from "./policy/notice.ts";
import type { PageRoute } from "./policy/page-route.ts";
import type { Words } from "./policy/words.ts";

/** A site that sends one bad link after the other causes one notice in this time. */
const REFUSALS_CALM_MS = 10_000;

export interface FollowLinksOptions {
  readonly words: Words;
  readonly clock: Pick<Clock, "monotonic">;
  readonly open: (route: PageRoute) => void;
  readonly show: (notice: Notice) => void;
}

/** Opens a link's target, or shows why it is refused. Neither changes anything. */
export function createLinkFollower({ words, clock, open, show }: FollowLinksOptions): (link: string) => void {
  let notifiedAt = -Infinity;
  return (link) => {
    const response = readLink(link);
    if (response.kind === "open") return open(response.route);
    const now = clock.monotonic();
    if (now - notifiedAt < REFUSALS_CALM_MS) return;
    notifiedAt = now;
    show({ title: words.notices.linkRefused, body: words.links[response.problem], opens: { page: "overview" } });
  };
}
