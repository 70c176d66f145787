import { Accordion, Button } from '@mantine/core'
import { ProblemError, type ProjectRoom, roomNamePattern } from '@roomkeeper/contract'
import { type Reason, whyNotRestore } from '@roomkeeper/rules'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { backupsQuery } from '#backups/index.ts'
import { PinnedNotes } from '#notes/index.ts'
import { FullScreenSpinner } from '#ui/FullScreenSpinner.tsx'
import { onDemand } from '#ui/on-demand.tsx'
import { BackButton, Page } from '#ui/Page.tsx'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { useLiveRoom } from '../queries.ts'
import { RoomNotFound } from '../RoomNotFound.tsx'
import { StatePill, useRoomWords } from '../room-words.tsx'
import { ClassicRestore } from './ClassicRestore.tsx'
import { ObjectStoreRestore } from './ObjectStoreRestore.tsx'
import classes from './restore.module.css'
import { StoredRestore } from './StoredRestore.tsx'

const NewRoomRestore = onDemand(() => import('./NewRoomRestore.tsx'), 'NewRoomRestore')

const route = getRouteApi('/project/_signed-in/restore_project_room/$id')

/** Replaces the content of a suspended room with a backup; a room that does not exist is created from it. */
export function RestorePage() {
  const { id: name } = route.useParams()
  const navigate = route.useNavigate()
  const onBack = () => void navigate({ to: '/project/edit_project_room/$id', params: { id: name } })
  // Also what its parts and a checked backup need: loaded later, it would move what is clicked, or take the focus away.
  const { t } = useTranslation(['restore', 'form', 'capacity', 'upload', 'backups'])
  const words = useRoomWords()
  const { data: room, error, isPending, refetch } = useLiveRoom(name)
  const isUnknown = error instanceof ProblemError && error.problem.status === 404
  // The room exists as soon as its creation is accepted; the form stays until it has reported that.
  const [isMissing, setIsMissing] = useState(false)
  if (isUnknown && roomNamePattern.test(name) && !isMissing) setIsMissing(true)
  // A failed query is pending again while it is retried.
  if (isPending && !isMissing) return <FullScreenSpinner />
  const isThere = room !== undefined && !isUnknown && !isMissing
  return (
    <Page
      title={t('title', { name })}
      width="form"
      before={<BackButton onClick={isThere ? onBack : undefined} />}
      beside={isThere && <StatePill state={room.projectRoomState} words={words} />}
    >
      {isThere && <RestoreSources key={name} room={room} onBack={onBack} />}
      {isMissing && (
        <Suspense fallback={<FullScreenSpinner />}>
          <NewRoomRestore name={name} onAccepted={onBack} />
        </Suspense>
      )}
      {!isThere && !isMissing && <RoomNotFound name={name} error={error} onAgain={() => void refetch()} />}
    </Page>
  )
}

function RestoreSources({ room, onBack }: { room: ProjectRoom; onBack: () => void }) {
  const { t } = useTranslation('restore')
  const { role } = useOperator()
  const whyNot = whyNotRestore(room, role)
  const { backup } = route.useSearch()
  const backups = useQuery(backupsQuery(room))
  // Which tab is open depends on them.
  if (backups.isPending) return <FullScreenSpinner />
  const isStored = backups.data !== undefined && backups.data.length > 0
  return (
    <>
      {whyNot !== null && <NotNow reason={whyNot} room={room} onBack={onBack} />}
      <PinnedNotes notes={room.pinnedNotes} />
      <Accordion
        variant="separated"
        radius="md"
        order={2}
        defaultValue={isStored ? 'stored' : 'classic'}
        classNames={{ item: 'rk-panel', label: classes.label, content: classes.content }}
      >
        <Accordion.Item value="stored">
          <Accordion.Control>{t('stored.title')}</Accordion.Control>
          <Accordion.Panel>
            <StoredRestore room={room} whyNot={whyNot} onAccepted={onBack} backups={backups} initialBackupId={backup} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="classic">
          <Accordion.Control>{t('classic.title')}</Accordion.Control>
          <Accordion.Panel>
            <ClassicRestore room={room} whyNot={whyNot} onAccepted={onBack} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="object-store">
          <Accordion.Control>{t('objectStore.title')}</Accordion.Control>
          <Accordion.Panel>
            <ObjectStoreRestore room={room} whyNot={whyNot} onAccepted={onBack} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  )
}

interface NotNowProps {
  reason: Reason
  room: ProjectRoom
  onBack: () => void
}

/** Why the room cannot be restored now, and how to change that. */
function NotNow({ reason, room, onBack }: NotNowProps) {
  const { t } = useTranslation(['restore', 'rooms'])
  return (
    <ProblemAlert kind="warning" title={t('notNow.title')}>
      <p className="rk-text">{t(`rooms:reasons.${reason}`)}</p>
      <Button mt="xs" variant="default" size="xs" onClick={onBack}>
        {t('notNow.back', { name: room.tenantName })}
      </Button>
    </ProblemAlert>
  )
}
