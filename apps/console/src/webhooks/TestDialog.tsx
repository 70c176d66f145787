import { Box, Button, Loader } from '@mantine/core'
import type { Webhook } from '@roomkeeper/contract'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { isSessionEnd, textOf } from '#locales/error-texts.ts'
import { Dialog, DialogFoot } from '#ui/dialog/Dialog.tsx'
import { useCloseDialog } from '#ui/dialog/open-dialogs.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { testQuery } from './queries.ts'
import classes from './Webhooks.module.css'

/** Sends a test when it opens, and shows how it went. */
export function TestDialog({ webhook: { id, name, url } }: { webhook: Webhook }) {
  const { t } = useTranslation(['webhooks', 'app'])
  const close = useCloseDialog()
  const { data, error, isFetching, refetch } = useQuery(testQuery(id, useId()))
  return (
    <Dialog title={t('test.title', { name })} width="wide" closesOutside>
      <Box mih={160} className={classes.details}>
        {isFetching && (
          <p role="status" className="rk-row rk-gap-sm rk-text">
            <Loader size={16} /> {t('test.waiting', { url })}
          </p>
        )}
        {!isFetching && error !== null && !isSessionEnd(error) && (
          <ProblemAlert title={t('test.failed')}>{textOf(error)}</ProblemAlert>
        )}
        {!isFetching && error === null && data !== undefined && <DeliveryDetails delivery={data} />}
      </Box>
      <DialogFoot>
        <Button variant="default" data-autofocus onClick={close}>
          {t('app:close')}
        </Button>
        <Button loading={isFetching} onClick={() => void refetch()}>
          {t('test.button')}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}
