import { Checkbox, Kbd } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '#ui/dialog/Dialog.tsx'
import { singleKeysAreOn, switchSingleKeys } from '#ui/table/single-keys.ts'
import classes from './KeysDialog.module.css'

const keys = [
  { keys: ['/'], does: 'search' },
  { keys: ['Enter', '↓'], does: 'first' },
  { keys: ['j', 'k'], does: 'rows' },
  { keys: ['Enter', 'o', 'e'], does: 'open' },
  { keys: ['x'], does: 'select' },
  { keys: ['h', 'l'], does: 'pages' },
  { keys: ['?'], does: 'help' },
] as const

/** The keyboard shortcuts of the list. */
export function KeysDialog() {
  const { t } = useTranslation('rooms')
  const [areOn, setAreOn] = useState(singleKeysAreOn)
  return (
    <Dialog title={t('keys.title')} width="small" closesOutside>
      <dl className={classes.list}>
        {keys.map((each) => (
          <div key={each.does}>
            <dt>
              {each.keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{t(`keys.${each.does}`)}</dd>
          </div>
        ))}
      </dl>
      <Checkbox
        mt="md"
        label={t('keys.areOn')}
        checked={areOn}
        onChange={({ currentTarget: { checked } }) => {
          switchSingleKeys(checked)
          setAreOn(checked)
        }}
      />
    </Dialog>
  )
}
