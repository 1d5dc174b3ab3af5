# frozen_string_literal: true

# Renders partials of integrations/ondemand as the dashboard does, with Rails' own view library: one question a line on standard input, one answer a line.
#
#     {"partial": "widgets/queuecast", "environment": {"QCAST_SOCKET": "/run/queuecast/api.sock"}, "times": 1}
#     {"partial": "batch_connect/sessions/card/expected_time", "session": {"job_id": "101", "cluster_id": "made", "queued": true}}
#
# For: tests/ondemand/run, which runs it as another user. It goes on from page to page, as the dashboard's process does, because loading Rails takes a second.
# Not for: the rest of the dashboard: its layout, its style and its translations are not here.

require 'json'
require 'action_view'

Info = Struct.new(:dispatch_time)
Session = Struct.new(:job_id, :cluster_id, :queued, :info) do
  def queued?
    queued
  end
end

view = ActionView::Base.with_empty_template_cache.new(ActionView::LookupContext.new(['/etc/ood/config/apps/dashboard/views']), {}, nil)
given = ENV.to_h
$stdout.sync = true
$stdin.each_line do |line|
  asked = JSON.parse(line)
  ENV.replace(given.merge(asked['environment'] || {}))
  # Each question is a page of its own; what one page remembers is tried with `times`.
  Queuecast.forget if defined?(Queuecast.forget)
  session = asked['session']
  locals = session ? { session: Session.new(session['job_id'], session['cluster_id'], session['queued'], Info.new(session['dispatch_time'])) } : {}
  begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  begin
    html = nil
    asked.fetch('times', 1).times { html = view.render(partial: asked['partial'], locals: locals) }
    puts JSON.generate(html: html, seconds: Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun, uid: Process.uid)
  rescue Exception => e # rubocop:disable Lint/RescueException - what reaches a page is what is tried here
    puts JSON.generate(raised: "#{e.class}: #{e.message}")
  end
end
