import type { ProjectRoom, Role } from '@roomkeeper/contract'
import { whyNotDelete, whyNotOpenEdit } from '@roomkeeper/rules'
import { IconInfoCircle, IconSettings, IconTrash } from '@tabler/icons-react'
import type { RoomLabels } from '../room-labels.tsx'
import classes from './RoomActions.module.css'

export type RoomAction = 'edit' | 'delete' | 'show-error' | 'check-running'

interface RoomActionsProps {
  room: ProjectRoom
  role: Role
  labels: RoomLabels
  onAction: (action: RoomAction, room: ProjectRoom) => void
}

/**
 * A busy room has only Check running; a room in error also shows its error. Each action has a place of its own, which
 * stays empty without it, so that a click never hits another action than the one that was aimed at.
 */
export function RoomActions({ room, role, labels, onAction }: RoomActionsProps) {
  const { projectRoomState: state, tenantName: name } = room
  // A newer server knows the state, but this console does not know what is possible in it.
  if (!(state in labels.state)) return <div className={classes.root} />
  const act = (action: RoomAction) => () => onAction(action, room)
  if (isBusy(room)) {
    return (
      <div className={classes.root}>
        <IconAction place={1} label={labels.checkRunning(name)} icon={IconInfoCircle} onClick={act('check-running')} />
      </div>
    )
  }
  const whyNotEdit = whyNotOpenEdit(room, role)
  const whyNotRemove = whyNotDelete(room, role)
  return (
    <div className={classes.root}>
      {state === 'ERROR' && (
        <IconAction place={1} label={labels.showError(name)} icon={IconInfoCircle} onClick={act('show-error')} danger />
      )}
      <IconAction
        place={2}
        label={labels.edit(name)}
        why={whyNotEdit === null ? null : labels.reason[whyNotEdit]}
        icon={IconSettings}
        onClick={act('edit')}
      />
      <IconAction
        place={3}
        label={labels.delete(name)}
        why={whyNotRemove === null ? null : labels.reason[whyNotRemove]}
        icon={IconTrash}
        onClick={act('delete')}
      />
    </div>
  )
}

/** Rooms that are being worked on or deleted have neither edit nor delete. */
export function isBusy(room: ProjectRoom): boolean {
  return room.projectRoomState === 'IN_PROGRESS' || room.projectRoomState === 'MARKED_FOR_DELETION'
}

interface IconActionProps {
  /** Counted from the left. */
  place: 1 | 2 | 3
  label: string
  /** Why the action is not possible now. */
  why?: string | null
  icon: typeof IconTrash
  danger?: boolean
  onClick: () => void
}

/** Stays focusable while disabled, so that the reason can be read. */
function IconAction({ place, label, why = null, icon: Icon, danger = false, onClick }: IconActionProps) {
  return (
    <button
      type="button"
      className={classes.button}
      style={{ gridColumn: place }}
      aria-label={why === null ? label : `${label}: ${why}`}
      aria-disabled={why !== null}
      data-tip={why ?? label}
      data-danger={danger || undefined}
      onClick={why === null ? onClick : undefined}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
    </button>
  )
}
