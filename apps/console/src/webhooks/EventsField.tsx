import { Checkbox, Fieldset, Input, Text } from '@mantine/core'
import { type WebhookEvent, webhookEvents } from '@roomkeeper/contract'
import { type FocusEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useField } from '#ui/form/resource-form.ts'
import classes from './Webhooks.module.css'
import { sortEvents } from './webhook-form.ts'

/** The events by what they are about. Exported for its test. */
export const eventGroups = ['room', 'operation', 'migration', 'region', 'backup', 'attention'] as const

/** Which events are sent: a checkbox for each, by what they are about, and one for all of them. */
export function EventsField() {
  const { t } = useTranslation('webhooks')
  const errorId = useId()
  const { value, set, input } = useField<WebhookEvent[]>('events')
  const { error, onBlur } = input
  const isAll = value.length === webhookEvents.length
  const choose = (event: WebhookEvent, isChosen: boolean) =>
    set(isChosen ? sortEvents([...value, event]) : value.filter((each) => each !== event))
  const leave = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) onBlur()
  }
  return (
    <Fieldset
      legend={t('fields.events')}
      data-path="events"
      className="rk-column rk-gap-sm"
      aria-describedby={error === undefined ? undefined : errorId}
      onBlur={leave}
    >
      <Checkbox
        size="xs"
        label={t('fields.all')}
        checked={isAll}
        indeterminate={!isAll && value.length > 0}
        onChange={() => set(isAll ? [] : [...webhookEvents])}
      />
      <div className={classes.groups}>
        {eventGroups.map((group) => (
          <fieldset key={group} className={classes.group}>
            <legend>{t(`groups.${group}`)}</legend>
            {eventsOf(group).map((event) => (
              <Checkbox
                key={event}
                size="xs"
                label={
                  <Text span inherit ff="monospace">
                    {event}
                  </Text>
                }
                description={t(`events.${event}`)}
                classNames={{ labelWrapper: classes.eventText, description: classes.eventHint }}
                checked={value.includes(event)}
                onChange={(change) => choose(event, change.currentTarget.checked)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {error !== undefined && <Input.Error id={errorId}>{error}</Input.Error>}
    </Fieldset>
  )
}

/** Exported for its test. */
export function eventsOf(group: (typeof eventGroups)[number]): WebhookEvent[] {
  return webhookEvents.filter((each) => each.startsWith(`${group}.`))
}
