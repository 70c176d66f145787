import { Menu } from '@mantine/core'
import type { ProjectRoom, ProjectRoomState } from '@roomkeeper/contract'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import type { OnDemandMenuProps } from '#ui/MenuOnDemand.tsx'
import { type ActionEntry, mayAct, type RoomAction, roomActions, whyNotAct } from './room-actions.ts'
import { useActOnRoom } from './use-room-actions.ts'

const groups = [
  ['visit', 'copyName', 'copyLink'],
  ['suspend', 'resume', 'backup', 'restore', 'move'],
  ['duplicate', 'notify'],
  ['delete'],
] as const satisfies readonly (readonly RoomAction[])[]
type MenuAction = (typeof groups)[number][number]

/** The actions that have buttons of their own on the page of a room, by its state. */
const buttons: Partial<Record<ProjectRoomState, readonly RoomAction[]>> = {
  DEFAULT: ['suspend'],
  SUSPENDED: ['resume', 'backup', 'restore'],
}

export interface RoomActionsProps {
  room: ProjectRoom
  /** Whether the menu stands on the room's page. */
  isOnPage?: boolean
}

/** What can be done with a room. What is not possible now says why. */
export function RoomActionsMenu({ room, isOnPage, target, ...menu }: OnDemandMenuProps & RoomActionsProps) {
  const { t } = useTranslation(['room-actions', 'rooms'])
  const { role } = useOperator()
  const act = useActOnRoom()
  const needless = room.projectRoomState === 'SUSPENDED' ? 'suspend' : 'resume'
  const taken = [needless, ...(isOnPage === true ? (buttons[room.projectRoomState] ?? []) : [])]
  const isOffered = (action: MenuAction) => !taken.includes(action) && mayAct(action, role)
  const offered = groups.map((group) => group.filter(isOffered)).filter(({ length }) => length > 0)
  return (
    <Menu {...menu} position="bottom-end" width={260}>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        {offered.map((group, index) => (
          <Fragment key={group[0]}>
            {index > 0 && <Menu.Divider />}
            {group.map((action) => {
              const why = whyNotAct(action, room, role)
              const { icon: Icon, asks }: ActionEntry = roomActions[action]
              return (
                <Menu.Item
                  key={action}
                  leftSection={<Icon size={16} stroke={1.7} aria-hidden />}
                  // Can be focused, so that the reason can be read.
                  aria-disabled={why !== null}
                  data-disabled={why !== null || undefined}
                  opacity={1}
                  closeMenuOnClick={why === null}
                  onClick={() => why === null && act(action, room)}
                >
                  {asks === true ? t('asks', { action: t(action) }) : t(action)}
                  {why !== null && <div className="rk-note">{t(`rooms:reasons.${why}`)}</div>}
                </Menu.Item>
              )
            })}
          </Fragment>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
