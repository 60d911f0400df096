import { ChevronLeft, ChevronRight, Pencil, RefreshCw } from "lucide-react";
import { memo, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { CopyIcon } from "../../../components/ui/copy.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { PictureCanvas } from "../pictures/picture-canvas.tsx";
import { canGoOn, isAnswered, findLane, type Place, type Turn } from "./conversation.ts";
import { StepView } from "./step-view.tsx";

/** Actions on the parts of a conversation. Stable. */
export interface TurnActions {
  /** Edits a question; the earlier continuation stays as a branch. */
  edit(turn: string, text: string): void;
  showBranch(turn: string, fork: number): void;
  /** Regenerates a response: with the same model, or another one from now on. */
  again(place: Place, model: string): void;
  goOn(place: Place): void;
  giveResult(place: Place, step: string, tool: number, result: string | null): void;
}

export interface TurnViewProps {
  readonly turn: Turn;
  /** Which of the models side by side. */
  readonly column: number;
  readonly last: boolean;
  /** Whether a call of the conversation is running: questions cannot be changed meanwhile. */
  readonly busy: boolean;
  readonly actions: TurnActions;
}

/** A question and what became of it in one column. What is far out of sight is not laid out. */
export const TurnView = memo(function TurnView({ turn, column, last, busy, actions }: TurnViewProps): ReactNode {
  return (
    <li className="flex min-w-0 flex-col gap-2.5 [contain-intrinsic-size:auto_240px] [content-visibility:auto]">
      <Question turn={turn} busy={busy} actions={actions} />
      <LaneView turn={turn} lane={findLane(turn, column)} last={last} busy={busy} actions={actions} />
    </li>
  );
});

function Question({ turn, busy, actions }: Pick<TurnViewProps, "turn" | "busy" | "actions">): ReactNode {
  const t = useMessages();
  const [editing, setEditing] = useState(false);
  if (editing) {
    return (
      <EditedQuestion
        text={turn.text}
        onCancel={() => setEditing(false)}
        onSend={(text) => {
          setEditing(false);
          actions.edit(turn.id, text);
        }}
      />
    );
  }
  return (
    <article aria-label={t.playground.you} className="rounded-md bg-pressed px-3 py-2 forced-colors:border">
      <div className="flex items-start gap-2">
        <p className="min-w-0 grow whitespace-pre-wrap wrap-anywhere">{turn.text}</p>
        <span className="-my-1 -mr-1.5 flex shrink-0">
          <CopyIcon text={turn.text} label={t.playground.copyQuestion} />
          <IconButton label={t.playground.editQuestion} disabled={busy} onClick={() => setEditing(true)}>
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
      <Branches turn={turn} busy={busy} actions={actions} />
    </article>
  );
}

/** Branches of a conversation after a question, if there are any. */
function Branches({ turn, busy, actions }: Pick<TurnViewProps, "turn" | "busy" | "actions">): ReactNode {
  const t = useMessages();
  const { forks = [], fork = 0 } = turn;
  if (forks.length === 0) return null;
  const step = (label: string, to: number, icon: ReactNode): ReactNode => (
    <IconButton
      label={label}
      disabled={busy || to < 0 || to > forks.length}
      onClick={() => actions.showBranch(turn.id, to)}
    >
      {icon}
    </IconButton>
  );
  return (
    <div className="mt-1 -mb-1 -ml-1.5 flex items-center text-meta text-muted">
      {step(t.playground.previousBranch, fork - 1, <ChevronLeft size={13} aria-hidden />)}
      <span className="numeric">{t.playground.branchOf(fork + 1, forks.length + 1)}</span>
      {step(t.playground.nextBranch, fork + 1, <ChevronRight size={13} aria-hidden />)}
    </div>
  );
}

interface EditedQuestionProps {
  readonly text: string;
  readonly onSend: (text: string) => void;
  readonly onCancel: () => void;
}

function EditedQuestion({ text, onSend, onCancel }: EditedQuestionProps): ReactNode {
  const t = useMessages();
  const [typed, setTyped] = useState(text);
  const ready = typed.trim() !== "";
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") onCancel();
    else if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing && ready) onSend(typed);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <form
      aria-label={t.playground.editQuestion}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) onSend(typed);
      }}
      className="flex flex-col gap-2 rounded-md bg-pressed p-2 forced-colors:border"
    >
      <textarea
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- Who presses the button is about to type here.
        autoFocus
        aria-label={t.playground.question}
        rows={Math.min(10, Math.max(2, typed.split("\n").length))}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={onKeyDown}
        className="resize-y rounded-md border border-line-strong bg-surface px-2.5 py-1.5"
      />
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>{t.app.cancel}</Button>
        <Button type="submit" look="primary" disabled={!ready}>
          {t.playground.sendEdited}
        </Button>
      </div>
    </form>
  );
}

interface LaneViewProps extends Omit<TurnViewProps, "column"> {
  readonly lane: number;
}

function LaneView({ turn, lane: number, last, busy, actions }: LaneViewProps): ReactNode {
  const t = useMessages();
  const lane = turn.lanes[number];
  if (lane === undefined) return null;
  const place: Place = { turn: turn.id, lane: number };
  const newest = lane.steps.at(-1);
  const words = lane.steps.map(({ text }) => text).filter((text) => text !== "");
  const open = last && newest !== undefined && newest.status !== "running";
  const again = (): void =>
    // A single model keeps the earlier response as a branch; with several, the other columns are unchanged.
    turn.lanes.length === 1 ? actions.edit(turn.id, turn.text) : actions.again(place, lane.model);
  return (
    <article aria-label={t.playground.responseOf(lane.model)} className="flex min-w-0 flex-col gap-2 px-3">
      <h2 className="flex min-h-7 items-center gap-1">
        <code className="min-w-0 truncate font-mono text-meta text-muted">{lane.model}</code>
        <span className="grow" />
        {words.length > 0 && <CopyIcon text={words.join("\n\n")} label={t.playground.copyResponse} />}
        {open && (
          <IconButton label={t.playground.regenerate} disabled={busy} onClick={again}>
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
              onModel: (model: string) => actions.again(place, model),
            })}
        />
      ))}
      {open && canGoOn(lane) && (
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
