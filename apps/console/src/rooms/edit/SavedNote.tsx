import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperator } from '#api/OperatorContext.tsx'
import { apiQuery } from '#api/queries.ts'
import { useUndo } from '../use-undo.tsx'

const undoMilliseconds = 10 * 60_000

/** After changes were saved: how many, and the ways to them and back. */
export function SavedNote({ room, savedAt }: { room: string; savedAt: Date }) {
  const { t } = useTranslation('edit')
  const { email } = useOperator()
  const undo = useUndo()
  const [state, setState] = useState<'saved' | 'undoing' | 'undone' | 'old'>('saved')
  useEffect(() => {
    const timer = setTimeout(() => setState((now) => (now === 'saved' ? 'old' : now)), undoMilliseconds)
    return () => clearTimeout(timer)
  }, [])
  const query = { room, actor: email, kinds: ['room.edit'] as 'room.edit'[], size: 1 }
  const { data } = useQuery({
    ...apiQuery(['activity', 'saved', room, savedAt.getTime()], 'activity', { query }, { background: 'always' }),
    enabled: state === 'saved',
  })
  const [entry] = data?.data ?? []
  if (entry === undefined) return null
  const run = async () => {
    setState('undoing')
    setState((await undo({ id: entry.id, room, undo: entry.undo })) ? 'undone' : 'saved')
  }
  return (
    <>
      {' · '}
      {state === 'undone' ? t('saved.undone') : t('saved.count', { count: entry.changes.length })}
      {' · '}
      <Link to="/project/edit_project_room/$id" params={{ id: room }} search={{ tab: 'history' }}>
        {t('saved.view')}
      </Link>
      {entry.undo !== null && (state === 'saved' || state === 'undoing') && (
        <>
          {' · '}
          <Button variant="subtle" size="compact-xs" loading={state === 'undoing'} onClick={() => void run()}>
            {t('undo.action')}
          </Button>
        </>
      )}
    </>
  )
}
