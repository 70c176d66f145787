import { Kbd, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './KeysDialog.module.css'

const keys = [
  { keys: ['/'], does: 'search' },
  { keys: ['j', 'k'], does: 'rows' },
  { keys: ['Enter'], does: 'open' },
  { keys: ['h', 'l'], does: 'pages' },
  { keys: ['?'], does: 'help' },
] as const

/** Which keys the list understands. */
export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation(['rooms', 'app'])
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      size="sm"
      title={t('keys.title')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
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
    </Modal>
  )
}
