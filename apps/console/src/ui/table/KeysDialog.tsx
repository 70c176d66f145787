import { Checkbox, Group, Kbd } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../dialog/Dialog.tsx'
import { opener, type PageKeys, rowCheckbox, searchField, singleKeysAreOn, switchSingleKeys } from './page-keys.ts'

const keys = [
  { keys: ['/'], does: 'search' },
  { keys: ['Enter', '↓'], does: 'first' },
  { keys: ['j', 'k', '↓', '↑'], does: 'rows' },
  { keys: ['Enter', 'o', 'e'], does: 'open' },
  { keys: ['space'], does: 'peek' },
  { keys: ['x'], does: 'select' },
  { keys: ['h', 'l'], does: 'pages' },
  { keys: ['mod', 'K'], does: 'commands' },
  { keys: ['mod', '.'], does: 'operations' },
  { keys: ['mod', 'Enter'], does: 'submit' },
  { keys: ['?'], does: 'help' },
] as const

type Purpose = (typeof keys)[number]['does']

/** The keyboard shortcuts of a page with a table. @param props.page undefined: all that there are */
export function KeysDialog({ page }: { page: PageKeys | undefined }) {
  const { t } = useTranslation('keys')
  const mod = useOs() === 'macos' ? '⌘' : t('control')
  const [areOn, setAreOn] = useState(singleKeysAreOn)
  const [without] = useState(() => (page === undefined ? [] : missing(page)))
  return (
    <Dialog title={t('title')} width="small" closesOutside>
      <dl>
        {keys
          .filter(({ does }) => !without.includes(does))
          .map((each) => (
            <Group key={each.does} gap={0} mih={36} py="2xs" wrap="nowrap">
              <dt>
                <Group gap="2xs" w={116} wrap="nowrap">
                  {each.keys.map((key) => (
                    <Kbd key={key}>{key === 'mod' ? mod : key === 'space' ? t('space') : key}</Kbd>
                  ))}
                </Group>
              </dt>
              <dd>{t(each.does)}</dd>
            </Group>
          ))}
      </dl>
      <Checkbox
        mt="md"
        label={t('areOn')}
        checked={areOn}
        onChange={({ currentTarget: { checked } }) => {
          switchSingleKeys(checked)
          setAreOn(checked)
        }}
      />
    </Dialog>
  )
}

/** What the keys of this page cannot do. */
function missing({ pages, onOpen, onPeek }: PageKeys): Purpose[] {
  const field = searchField()
  const opens = onOpen !== undefined || document.querySelector(`tr[data-row] ${opener}`) !== null
  const lacks: Record<Purpose, boolean> = {
    search: field === null,
    first: !(field instanceof HTMLInputElement),
    rows: false,
    open: !opens,
    peek: onPeek === undefined,
    select: document.querySelector(rowCheckbox) === null,
    pages: pages === undefined,
    commands: false,
    operations: false,
    submit: false,
    help: false,
  }
  return keys.map(({ does }) => does).filter((each) => lacks[each])
}
