import type { Licence } from '@roomkeeper/contract'
import { emptyMeans } from '@roomkeeper/rules'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { NumberField } from '#ui/form/NumberField.tsx'
import { useNumberFormat } from '#ui/format.ts'
import { Choice } from './Choice.tsx'
import classes from './form.module.css'
import { useRoomForm } from './form-context.ts'
import { lacksNeededLicence, raisedForDelegate } from './room-form.ts'
import { useLicenceLabel } from './use-field-labels.ts'

/** A licence: label, count, type, and the notice of an obsolete one. */
export function LicenceRow({ licence }: { licence: Licence }) {
  const { t } = useTranslation('form')
  const label = useLicenceLabel()(licence.key)
  const { draft } = useRoomForm()
  const id = useId()
  const notice = licence.obsolete && (draft.licenses[licence.key] ?? 0) > 0
  return (
    <div className={classes.licence}>
      <label htmlFor={id} className={classes.licenceLabel}>
        {label}
      </label>
      {licence.maximum === 1 ? <OnOff licence={licence} /> : <Count licence={licence} id={id} />}
      <TypeOf licence={licence} />
      <UsedCount licenceKey={licence.key} />
      {notice && (
        <p className={classes.notice} role="status">
          {t('licence.obsolete')}
        </p>
      )}
    </div>
  )
}

/** How many of a licence are in use; renders nothing for a new room. */
function UsedCount({ licenceKey }: { licenceKey: string }) {
  const { t } = useTranslation('form')
  const { used } = useRoomForm()
  const number = useNumberFormat()
  if (used === null) return null
  if (used === 'loading') return <span className={`rk-dimmed ${classes.used}`}>…</span>
  const count = used === 'unknown' ? undefined : used.get(licenceKey)
  return (
    <span className={`rk-dimmed ${classes.used}`}>
      {t('licence.used', { n: count === undefined ? '–' : number.format(count) })}
    </span>
  )
}

function Count({ licence, id }: { licence: Licence; id: string }) {
  const { t } = useTranslation('form')
  const { values, draft, set } = useRoomForm()
  const isOff = lacksNeededLicence(values, licence.key)
  const name = `licenses.${licence.key}`
  const leave = () => {
    const raised = raisedForDelegate(draft).licenses
    if (raised !== undefined) set({ licenses: raised })
    else if (values.licenses[licence.key] === '') set({ [name]: emptyMeans(licence) })
  }
  return (
    <NumberField
      name={name}
      id={id}
      isOff={isOff}
      title={isOff ? t('licence.needsArchitect') : undefined}
      min={licence.minimum}
      max={licence.maximum}
      onBlur={leave}
    />
  )
}

function OnOff({ licence }: { licence: Licence }) {
  const { t } = useTranslation('form')
  const label = useLicenceLabel()(licence.key)
  const { values, set, isFixed } = useRoomForm()
  return (
    <Choice
      label={label}
      hideLabel
      isDisabled={isFixed(`licenses.${licence.key}`)}
      value={values.licenses[licence.key] === 1 ? 'enabled' : 'disabled'}
      options={(['disabled', 'enabled'] as const).map((each) => ({ value: each, label: t(`licence.${each}`) }))}
      onChange={(chosen) => set({ [`licenses.${licence.key}`]: chosen === 'enabled' ? 1 : 0 })}
    />
  )
}

function TypeOf({ licence }: { licence: Licence }) {
  const { t } = useTranslation('form')
  const label = useLicenceLabel()(licence.key)
  const { values, set, isFixed } = useRoomForm()
  const [only] = licence.types
  if (licence.types.length === 1 && only !== undefined) {
    return <span className={`rk-dimmed ${classes.fixedType}`}>{t(`licenceType.${only}`)}</span>
  }
  return (
    <Choice
      label={t('licence.typeOf', { licence: label })}
      hideLabel
      isDisabled={isFixed(`licensesInformation.${licence.key}`)}
      value={values.licensesInformation[licence.key] ?? 'NUC'}
      options={licence.types.map((each) => ({ value: each, label: t(`licenceType.${each}`) }))}
      onChange={(chosen) => set({ [`licensesInformation.${licence.key}`]: chosen })}
    />
  )
}
