import { useTranslation } from 'react-i18next'
import { textOf } from '#api/text-of-error.ts'
import { useNumberFormat } from '#ui/format.ts'
import { ProblemAlert } from '#ui/ProblemAlert.tsx'
import classes from './RegionForm.module.css'
import type { ConnectionTest } from './use-region-form.ts'

/** What answered at the address, or what exactly went wrong there. */
export function TestResult({ test: { data, error } }: { test: ConnectionTest }) {
  const { t } = useTranslation('regions')
  const number = useNumberFormat()
  if (error !== null) {
    return (
      <ProblemAlert ref={bringIntoView} title={t('test.failed')}>
        {t('test.error', { message: textOf(error) })}
      </ProblemAlert>
    )
  }
  if (data === undefined) return null
  return (
    <div role="status" ref={bringIntoView} className={classes.result} data-warning={data.isOtherServer || undefined}>
      {data.isOtherServer && <strong>{t('test.otherServer')}</strong>}
      {data.isOtherServer ? <p>{t('test.done')}</p> : <strong>{t('test.done')}</strong>}
      <dl>
        <div>
          <dt>{t('test.version')}</dt>
          <dd>{data.version}</dd>
        </div>
        <div>
          <dt>{t('test.products')}</dt>
          <dd>{data.products.join(', ')}</dd>
        </div>
        <div>
          <dt>{t('test.latency')}</dt>
          <dd>{t('test.milliseconds', { n: number.format(Math.round(data.latencyMs)) })}</dd>
        </div>
      </dl>
    </div>
  )
}

/** The form is longer than a small window, and the button that asks stays in view. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'center' })
}
