# frozen_string_literal: true

# Requests the forecasts of the current user's jobs from a Queuecast daemon, and formats them for a page.
#
# For: the partials of Open OnDemand's dashboard in this folder, which load it by its full path.
# Not for: access control. The daemon decides by the user ID of this process what the user may see.
#
# Uses only Ruby's standard library, because the gems of a dashboard change between versions. Nothing here raises into a page, and a page waits at most one second.

require 'io/wait'
require 'json'
require 'net/http'
require 'socket'
require 'time'
require 'timeout'
require 'uri'

module Queuecast
  SOCKET = '/run/queuecast/api.sock'
  DEADLINE_SECONDS = 1.0
  # A page needs about 40 KiB. A larger response does not come from the daemon.
  MOST_BYTES = 2 * 1024 * 1024
  # The daemon itself shows no forecasts from data older than this.
  STALE_SECONDS = 15 * 60
  # A page may have many cards. If the daemon does not respond, the page waits once and not for each card.
  SILENCE_KEPT_SECONDS = 5
  TOKEN_KEPT_SECONDS = 300
  LONGEST_NAME = 60

  # A response. `state` is one of :jobs, :none, :not_ready, :stale, :away, :not_permitted, :busy, :no_such_job, :odd.
  # Only :none means that the user has no pending jobs.
  Answer = Struct.new(:state, :jobs, :more, :cluster, :words, keyword_init: true)

  # Texts for one job. `start` is the 80 % range and `usual` the median; without a forecast both are nil, and `why` is the reason.
  Job = Struct.new(:id, :name, :partition, :tasks, :state, :start, :usual, :last, :why, :slurm, keyword_init: true)

  # A failed request, and the state of the page after it.
  class Trouble < StandardError
    attr_reader :state

    def initialize(state, words)
      @state = state
      super(words)
    end
  end

  WORDS = {
    none: 'You have no pending jobs.',
    not_ready: 'The forecast service has just started and has not read the queue yet. Reload this page in a minute.',
    stale: 'The queue data are too old for forecasts. Your jobs are not affected.',
    away: 'The forecast service does not respond. Your jobs are not affected.',
    not_permitted: 'The forecast service could not identify you, so it shows no jobs. Please contact your support.',
    busy: 'You have sent too many requests in a short time. Reload this page in a minute.',
    no_such_job: 'The forecast service does not know this job yet.',
    odd: 'This page cannot read the response of the forecast service. Your jobs are not affected.'
  }.freeze

  class << self
    # The pending jobs of the current user, at most `most` of them.
    def waiting(most: 10)
      guarded do
        body = ask("/v1/queue?me=true&limit=#{Integer(most)}")
        answer(body, Array(body['jobs']).map { |forecast| job(forecast) }, more: !body['next_after'].nil?)
      end
    end

    # One job by its Slurm job ID.
    def job_by_id(id)
      guarded do
        # The ID becomes part of a URL.
        raise Trouble.new(:no_such_job, WORDS[:no_such_job]) unless id.to_s.match?(/\A[0-9]{1,10}(?:[_+][0-9]{1,10})?\z/)

        body = ask("/v1/jobs/#{id.to_s.sub('+', '%2B')}/forecast")
        answer(body, [job(body)], more: false)
      end
    end

    # Whether sessions of this portal cluster are jobs of the daemon's cluster. Clusters use the same job IDs.
    def cluster?(portal_name)
      ours = ENV['QCAST_OOD_CLUSTER'].to_s
      ours.empty? || ours.split(',').map(&:strip).include?(portal_name.to_s)
    end

    # `Wed 18 Nov, 10:15 to 19:29 CET`: in the time zone of the portal's machine, without a date for today.
    def between(from, to, now = Time.now)
      from = Time.at(from).localtime
      to = Time.at(to).localtime
      return "#{day(from, now)}#{from.strftime('%H:%M')} to #{to.strftime('%H:%M')} #{to.zone}" if same_day?(from, to) && from.zone == to.zone

      "#{day(from, now)}#{from.strftime('%H:%M')} to #{day(to, now, always: true)}#{to.strftime('%H:%M')} #{to.zone}"
    end

    def at(time, now = Time.now)
      time = Time.at(time).localtime
      "#{day(time, now)}#{time.strftime('%H:%M')}"
    end

    # Forgets the last failure and the token, for tests.
    def forget
      @silent_until = @silence = @token = @token_until = nil
    end

    private

    # Returns a response for the page in every case.
    def guarded
      yield
    rescue Trouble => e
      Answer.new(state: e.state, jobs: [], more: false, cluster: nil, words: e.message)
    rescue StandardError, ScriptError
      Answer.new(state: :odd, jobs: [], more: false, cluster: nil, words: WORDS[:odd])
    end

    def answer(body, jobs, more:)
      # Before the first poll an empty list means nothing.
      raise Trouble.new(:not_ready, WORDS[:not_ready]) if body['made'].nil? || body['data_age_seconds'].nil?

      state = if stale?(body) then :stale
              elsif jobs.empty? then :none
              else :jobs
              end
      Answer.new(state: state, jobs: jobs, more: more, cluster: plain(body['cluster']), words: WORDS[state])
    end

    def stale?(body)
      ages = [body['data_age_seconds'], body['now']['unix'] - body['made']['unix']]
      ages.max > STALE_SECONDS
    end

    def job(forecast)
      about = forecast.fetch('job')
      start = forecast['start']
      last = forecast.dig('last_task', 'start', 'range80')
      reason = forecast.dig('no_forecast', 'message')
      planned = forecast.dig('slurm_estimated_start', 'unix')
      Job.new(
        id: plain(about['id']), name: plain(about['name']), partition: plain(Array(about['partitions']).join(', ')),
        tasks: about['array_tasks_waiting'], state: plain(forecast['state']),
        start: start && between(start['range80']['from']['unix'], start['range80']['to']['unix']),
        usual: start && at(start['median']['unix']),
        last: last && between(last['from']['unix'], last['to']['unix']),
        why: start ? nil : sentence(reason || 'There is no forecast for this job.'),
        slurm: planned && at(planned)
      )
    end

    # Users choose the names. The page escapes them; this removes control characters and characters that change the direction of text.
    def plain(text)
      text = text.to_s.dup.force_encoding(Encoding::UTF_8).scrub("\u{FFFD}")
      text = text.gsub(/[[:cntrl:]\u{200B}-\u{200F}\u{2028}-\u{202E}\u{2060}-\u{2069}\u{FEFF}]/, "\u{FFFD}")
      text.length > LONGEST_NAME ? "#{text[0, LONGEST_NAME - 1]}…" : text
    end

    # Sentences of the daemon, which may be longer than names. Backquotes have no meaning in a page.
    def sentence(text)
      text = text.to_s.dup.force_encoding(Encoding::UTF_8).scrub("\u{FFFD}").gsub(/[[:cntrl:]`]/, '')
      text.empty? ? text : "#{text[0].upcase}#{text[1, 300]}"
    end

    def day(time, now, always: false)
      return '' if same_day?(time, now.localtime) && !always

      time.strftime(time.year == now.year ? '%a %-d %b, ' : '%a %-d %b %Y, ')
    end

    def same_day?(one, other)
      one.year == other.year && one.yday == other.yday
    end

    # The body of a response with status 200; raises Trouble otherwise.
    def ask(path)
      raise Trouble.new(:away, @silence) if @silent_until && clock < @silent_until

      status, text = url.empty? ? over_socket(path) : over_https(path)
      understand(status, text)
    rescue Trouble => e
      @silent_until, @silence = clock + SILENCE_KEPT_SECONDS, e.message if e.state == :away
      raise
    end

    def understand(status, text)
      body = JSON.parse(text.force_encoding(Encoding::UTF_8), max_nesting: 20)
      raise Trouble.new(:odd, WORDS[:odd]) unless body.is_a?(Hash)
      return body if status == 200

      state = { 'not_ready' => :not_ready, 'jobs_are_private' => :not_permitted, 'authentication_failed' => :not_permitted, 'wrong_host' => :not_permitted,
                'no_such_job' => :no_such_job, 'too_late' => :busy }[body.dig('error', 'code')]
      state ||= { 401 => :not_permitted, 403 => :not_permitted, 429 => :busy }.fetch(status, :odd)
      raise Trouble.new(state, WORDS[state])
    rescue JSON::ParserError, TypeError
      raise Trouble.new(status == 401 || status == 403 ? :not_permitted : :odd, WORDS[:odd])
    end

    def socket_path
      given = ENV['QCAST_SOCKET'].to_s
      given.empty? ? SOCKET : given
    end

    def url
      ENV['QCAST_URL'].to_s
    end

    # HTTP/1.0, so that the response ends with the connection. Net::HTTP does not support unix sockets without its private parts, which change.
    def over_socket(path)
      deadline = clock + DEADLINE_SECONDS
      socket = connect(deadline)
      send_all(socket, "GET #{path} HTTP/1.0\r\nHost: localhost\r\nAccept: application/json\r\n\r\n", deadline)
      head, body = read_all(socket, deadline).split("\r\n\r\n", 2)
      status = head.to_s[%r{\AHTTP/1\.[01] ([0-9]{3})}, 1]
      raise Trouble.new(:odd, WORDS[:odd]) if status.nil? || body.nil?

      [status.to_i, body]
    rescue Errno::ENOENT, Errno::ECONNREFUSED, Errno::ECONNRESET, Errno::EPIPE, Errno::ENOTDIR, EOFError
      raise Trouble.new(:away, WORDS[:away])
    rescue Errno::EACCES, Errno::EPERM
      raise Trouble.new(:not_permitted, WORDS[:not_permitted])
    ensure
      socket&.close
    end

    # If the daemon is stopped, its backlog fills up and connecting blocks, too.
    def connect(deadline)
      socket = Socket.new(:UNIX, :STREAM)
      address = Socket.sockaddr_un(socket_path)
      begin
        socket.connect_nonblock(address)
      rescue IO::WaitWritable, Errno::EAGAIN
        sleep 0.02
        late(deadline)
        retry
      rescue Errno::EISCONN
        nil
      end
      socket
    rescue SystemCallError, Trouble
      socket&.close
      raise
    end

    def send_all(socket, text, deadline)
      until text.empty?
        sent = socket.write_nonblock(text, exception: false)
        if sent == :wait_writable
          late(deadline) unless socket.wait_writable(left(deadline))
        else
          text = text.byteslice(sent..)
        end
      end
    end

    def read_all(socket, deadline)
      all = String.new(encoding: Encoding::BINARY)
      loop do
        part = socket.read_nonblock(65_536, exception: false)
        return all if part.nil?

        if part == :wait_readable
          socket.wait_readable(left(deadline))
        else
          all << part
          raise Trouble.new(:odd, WORDS[:odd]) if all.bytesize > MOST_BYTES
        end
        # Checked also while bytes arrive slowly.
        late(deadline)
      end
    end

    def left(deadline)
      [deadline - clock, 0].max
    end

    def late(deadline)
      raise Trouble.new(:away, WORDS[:away]) if clock >= deadline
    end

    # A daemon on another machine. It accepts a Slurm token, which is sent only over https or to this machine.
    def over_https(path)
      address = URI.parse(url.chomp('/') + path)
      secure = address.is_a?(URI::HTTPS)
      here = address.is_a?(URI::HTTP) && ['localhost', '127.0.0.1', '[::1]'].include?(address.host)
      raise Trouble.new(:not_permitted, 'QCAST_URL must begin with https. Please contact your support.') unless secure || here

      deadline = clock + DEADLINE_SECONDS
      with = token(deadline)
      # 0 would mean no timeout.
      Timeout.timeout([left(deadline), 0.05].max) { fetch(address, secure, with) }
    rescue Timeout::Error, SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError
      raise Trouble.new(:away, WORDS[:away])
    end

    def fetch(address, secure, token)
      # Ignores proxies of the environment, because the token is only for this host.
      http = Net::HTTP.new(address.host, address.port, nil)
      http.use_ssl = secure
      http.ca_file = ENV['QCAST_CA_FILE'] unless ENV['QCAST_CA_FILE'].to_s.empty?
      http.max_retries = 0
      request = Net::HTTP::Get.new(address, 'Accept' => 'application/json', 'X-SLURM-USER-TOKEN' => token)
      text = String.new(encoding: Encoding::BINARY)
      http.start do
        http.request(request) do |response|
          response.read_body do |part|
            text << part
            raise Trouble.new(:odd, WORDS[:odd]) if text.bytesize > MOST_BYTES
          end
          return [response.code.to_i, text]
        end
      end
    end

    # The portal sets no token. `scontrol token` creates one for the current user, every five minutes and not for each page.
    def token(deadline)
      given = ENV['SLURM_JWT'].to_s
      return given unless given.empty?
      return @token if @token && clock < @token_until

      made = printed_by(['scontrol', 'token', "lifespan=#{2 * TOKEN_KEPT_SECONDS}"], deadline)[/\ASLURM_JWT=([A-Za-z0-9._-]+)\s*\z/, 1]
      raise Trouble.new(:not_permitted, WORDS[:not_permitted]) if made.nil?

      @token_until = clock + TOKEN_KEPT_SECONDS
      @token = made
    rescue Errno::ENOENT
      raise Trouble.new(:not_permitted, WORDS[:not_permitted])
    end

    # Kills a program that hangs, because closing its pipe would block.
    def printed_by(command, deadline)
      pipe = IO.popen(command, err: File::NULL)
      printed = read_all(pipe, deadline)
    ensure
      Process.kill(:KILL, pipe.pid) if pipe && printed.nil?
      pipe&.close
    end

    def clock
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
