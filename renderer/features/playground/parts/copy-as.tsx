import { Code } from "lucide-react";
import type { ReactNode } from "react";
import { useGatewayState } from "../../../api/queries.ts";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { useCopy } from "../../../components/ui/copy.tsx";
import { Menu, MenuItem } from "../../../components/ui/menu.tsx";
import { useNotify } from "../../../components/ui/toasts.tsx";
import { useMessages } from "../../../lib/i18n.tsx";
import { codeSample, sampleKinds, sampleLabels, type SampleKind } from "../../../lib/samples/code-sample.ts";
import type { V1Request } from "../../../api/v1/call-v1.ts";

export interface CopyAsProps {
  /** null: not ready to be sent. */
  readonly request: () => V1Request | null | Promise<V1Request | null>;
  /** An icon with its name on hover. */
  readonly compact?: boolean;
}

/** The call as a program makes it, with the key left to the environment. */
export function CopyAs({ request, compact = false }: CopyAsProps): ReactNode {
  const t = useMessages();
  const notify = useNotify();
  const { copy } = useCopy();
  const { data: state } = useGatewayState();
  const copyAs = async (kind: SampleKind): Promise<void> => {
    const made = await request();
    if (made === null) return notify.confirm(t.playground.notReady);
    if (await copy(codeSample(kind, state?.url ?? location.origin, made))) notify.confirm(t.app.copied);
  };
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        compact ? (
          <IconButton label={t.playground.copyAs}>
            <Code size={15} aria-hidden />
          </IconButton>
        ) : (
          <Button icon={<Code size={14} aria-hidden />}>{t.playground.copyAs}</Button>
        )
      }
    >
      {sampleKinds.map((kind) => (
        <MenuItem key={kind} onSelect={() => void copyAs(kind)}>
          {sampleLabels[kind]}
        </MenuItem>
      ))}
    </Menu>
  );
}
