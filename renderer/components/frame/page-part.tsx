import { CircleAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../lib/i18n.tsx";
import { usePart, type Part } from "../../lib/part.ts";
import { Button } from "../ui/button.tsx";
import { Empty, SkeletonRows } from "../ui/states.tsx";

/** A page that is fetched when it is first shown; when it does not come, why, and the way to it. */
export function PagePart({ part }: { readonly part: Part<object> }): ReactNode {
  const t = useMessages();
  const state = usePart(part);
  if (state.status === "here") return <state.component />;
  if (state.status === "waiting") return <SkeletonRows rows={8} />;
  const outdated = state.status === "outdated";
  return (
    <div role="alert">
      <Empty
        icon={<CircleAlert size={24} aria-hidden />}
        title={outdated ? t.app.outdated : t.app.loadFailed}
        help={outdated ? t.app.outdatedHelp : t.app.unreachable}
        action={
          <Button
            icon={<RotateCw size={14} aria-hidden />}
            onClick={() => (outdated ? location.reload() : void part.load())}
          >
            {outdated ? t.app.reload : t.app.retry}
          </Button>
        }
      />
    </div>
  );
}
