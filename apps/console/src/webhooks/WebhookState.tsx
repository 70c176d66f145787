import type { Webhook } from '@roomkeeper/contract'
import { IconAlertTriangle, IconBan, IconCircleCheck, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { formatMoment } from '#ui/format.ts'
import { Pill } from '#ui/Pill.tsx'
import classes from './Webhooks.module.css'

/** Whether events are sent, and below it since when they fail or why they are not. */
export function WebhookState({ webhook: { isOn, failingSince, switchedOffAt } }: { webhook: Webhook }) {
  const { t } = useTranslation('webhooks')
  if (!isOn && switchedOffAt !== null) {
    return (
      <>
        <Pill tone="bad" icon={IconPlugConnectedX} isSmall>
          {t('states.switchedOff')}
        </Pill>
        <div className={classes.note}>{t('switchedOffAt', { at: formatMoment(switchedOffAt) })}</div>
      </>
    )
  }
  if (!isOn) {
    return (
      <Pill tone="quiet" icon={IconBan}>
        {t('states.off')}
      </Pill>
    )
  }
  if (failingSince !== null) {
    return (
      <>
        <Pill tone="warn" icon={IconAlertTriangle} isSmall>
          {t('states.failing')}
        </Pill>
        <div className={classes.note}>{t('since', { at: formatMoment(failingSince) })}</div>
      </>
    )
  }
  return (
    <Pill tone="good" icon={IconCircleCheck}>
      {t('states.on')}
    </Pill>
  )
}
