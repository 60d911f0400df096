import { Pencil, RefreshCw } from "lucide-react";
import { memo, type ReactNode } from "react";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { CopyIcon } from "../../../components/ui/copy.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { PictureCanvas } from "../pictures/picture-canvas.tsx";
import { canGoOn, isAnswered, type Lane, type Place, type Turn } from "./conversation.ts";
import { StepView } from "./step-view.tsx";

/** What can be done with the parts of a conversation. Stable. */
export interface TurnActions {
  edit(turn: string): void;
  again(place: Place): void;
  goOn(place: Place): void;
  giveResult(place: Place, step: string, tool: number, result: string | null): void;
}

export interface TurnViewProps {
  readonly turn: Turn;
  readonly last: boolean;
  readonly actions: TurnActions;
}

/** A question and what became of it, by one model or by two side by side. */
export const TurnView = memo(function TurnView({ turn, last, actions }: TurnViewProps): ReactNode {
  const t = useMessages();
  return (
    <li className="flex min-w-0 flex-col gap-2.5">
      <article aria-label={t.playground.you} className="rounded-md bg-pressed px-3 py-2 forced-colors:border">
        <div className="flex items-start gap-2">
          <p className="min-w-0 grow whitespace-pre-wrap wrap-anywhere">{turn.text}</p>
          <span className="-my-1 -mr-1.5 flex shrink-0">
            <CopyIcon text={turn.text} label={t.playground.copyQuestion} />
            <IconButton label={t.playground.editQuestion} onClick={() => actions.edit(turn.id)}>
              <Pencil size={13} aria-hidden />
            </IconButton>
          </span>
        </div>
        {turn.pictures.length > 0 && (
          <div className="mt-2 flex flex-wrap gap-2">
            {turn.pictures.map((picture) => (
              <PictureCanvas key={picture.id} picture={picture} side={72} />
            ))}
          </div>
        )}
      </article>
      <div className={turn.lanes.length > 1 ? "grid gap-4 min-[900px]:grid-cols-2" : ""}>
        {turn.lanes.map((lane, index) => (
          <LaneView key={index} lane={lane} last={last} place={{ turn: turn.id, lane: index }} actions={actions} />
        ))}
      </div>
    </li>
  );
});

interface LaneViewProps {
  readonly lane: Lane;
  readonly last: boolean;
  readonly place: Place;
  readonly actions: TurnActions;
}

function LaneView({ lane, last, place, actions }: LaneViewProps): ReactNode {
  const t = useMessages();
  const running = lane.steps.some(({ status }) => status === "running");
  const newest = lane.steps.at(-1);
  const words = lane.steps.map(({ text }) => text).filter((text) => text !== "");
  const open = last && !running;
  return (
    <article aria-label={t.playground.responseOf(lane.model)} className="flex min-w-0 flex-col gap-2 px-3">
      <h2 className="flex min-h-7 items-center gap-1">
        <code className="min-w-0 truncate font-mono text-meta text-muted">{lane.model}</code>
        <span className="grow" />
        {words.length > 0 && <CopyIcon text={words.join("\n\n")} label={t.playground.copyResponse} />}
        {open && newest !== undefined && (
          <IconButton label={t.playground.regenerate} onClick={() => actions.again(place)}>
            <RefreshCw size={13} aria-hidden />
          </IconButton>
        )}
      </h2>
      {lane.steps.map((step) => (
        <StepView
          key={step.id}
          step={step}
          {...(open &&
            step === newest && {
              onResult: (tool: number, result: string | null) => actions.giveResult(place, step.id, tool, result),
            })}
        />
      ))}
      {open && canGoOn(lane) && newest !== undefined && (
        <Button
          look="primary"
          className="self-start"
          disabled={!isAnswered(newest)}
          onClick={() => actions.goOn(place)}
        >
          {t.playground.goOn}
        </Button>
      )}
    </article>
  );
}
