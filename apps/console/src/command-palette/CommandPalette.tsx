import { lazy, useState } from 'react'
import { OnceOpened } from '#ui/OnceOpened.tsx'
import { useLastPresent } from '#ui/use-last-present.ts'
import { PaletteDialog } from './PaletteDialog.tsx'
import type { Panels } from './use-screen-commands.ts'

const StateDialog = lazy(async () => ({ default: (await import('#rooms/edit/StateDialog.tsx')).StateDialog }))
const DeleteRoomDialog = lazy(async () => ({
  default: (await import('#rooms/list/DeleteRoomDialog.tsx')).DeleteRoomDialog,
}))

interface CommandPaletteProps {
  isOpen: boolean
  onClose: () => void
  panels: Panels
}

/** Everything of the console by keyboard, and the questions that some of it asks first. */
export function CommandPalette({ isOpen, onClose, panels }: CommandPaletteProps) {
  const [asked, setAsked] = useState<{ verb: 'suspend' | 'resume' | 'delete'; room: string } | null>(null)
  const shown = useLastPresent(asked)
  const close = () => setAsked(null)
  const changesState = asked !== null && asked.verb !== 'delete'
  return (
    <>
      <PaletteDialog
        isOpen={isOpen}
        onClose={onClose}
        panels={panels}
        onAsk={(verb, room) => setAsked({ verb, room })}
      />
      <OnceOpened isOpen={changesState}>
        {(isShown) => (
          <StateDialog
            change={shown?.verb === 'resume' ? 'resume' : 'suspend'}
            name={shown?.room ?? ''}
            isOpen={isShown}
            onClose={close}
          />
        )}
      </OnceOpened>
      <OnceOpened isOpen={asked?.verb === 'delete'}>
        {(isShown) => <DeleteRoomDialog name={isShown ? (asked?.room ?? null) : null} onClose={close} />}
      </OnceOpened>
    </>
  )
}
