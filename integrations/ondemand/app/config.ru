# frozen_string_literal: true

# The daemon's web interface inside Open OnDemand: forwards requests to the daemon's socket, as the user that runs this app in Passenger.
#
# For: /var/www/ood/apps/sys/queuecast/config.ru. The kernel identifies the user to the daemon; nothing that a browser sends does.
# Not for: a daemon on another machine (docs/operations/proxy.md), and one process for many users, who would all be the same user to the daemon.
#
# Uses only Ruby's standard library and the calling convention of Rack. Reads QCAST_SOCKET; the default is /run/queuecast/api.sock.

require 'erb'
require 'io/wait'
require 'json'
require 'socket'

# Forwards only listed headers, in both directions. A list of forbidden headers would miss new ones.
class QueuecastApp
  SOCKET = '/run/queuecast/api.sock'
  CONNECT_SECONDS = 1
  # `why` and `limit` take the daemon at most 20 s.
  HEAD_SECONDS = 25
  BODY_SECONDS = 30
  # The same maximum as in the daemon.
  MOST_ASKED = 64 * 1024
  LONGEST_QUERY = 4 * 1024
  MOST_HEAD = 32 * 1024
  MOST_ANSWERED = 32 * 1024 * 1024

  PATHS = %r{\A/(?:|openapi\.json|icon\.svg|assets/[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*|v1/[A-Za-z0-9_][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_](?:[A-Za-z0-9_+-]|%2[Bb])*)*)\z}.freeze
  # Without the portal's cookies and passwords, and without headers that identify a user.
  ASKED = {
    'HTTP_ACCEPT' => 'Accept', 'HTTP_ACCEPT_ENCODING' => 'Accept-Encoding', 'HTTP_ACCEPT_LANGUAGE' => 'Accept-Language',
    'HTTP_IF_NONE_MATCH' => 'If-None-Match', 'HTTP_IF_MODIFIED_SINCE' => 'If-Modified-Since', 'CONTENT_TYPE' => 'Content-Type'
  }.freeze
  ANSWERED = %w[
    allow cache-control content-encoding content-language content-length content-security-policy content-type cross-origin-opener-policy
    cross-origin-resource-policy etag last-modified permissions-policy referrer-policy retry-after vary x-content-type-options x-frame-options
  ].freeze

  # A failed request: the status for the browser, a code for programs, and a sentence for people.
  class Trouble < StandardError
    attr_reader :status, :code

    def initialize(status, code, words)
      @status = status
      @code = code
      super(words)
    end
  end

  def call(env)
    path = env['PATH_INFO'].to_s
    # The web interface uses relative URLs, so its own URL must end with a slash.
    return [302, { 'location' => "#{prefix(env)}/", 'content-type' => 'text/plain', 'content-length' => '0' }, []] if path.empty?

    check(env, path)
    # The portal runs one process of an app for each user, which handles one request at a time, so a stream would block all others. After a 204
    # the browser does not request the stream again, and the web interface polls every half minute instead.
    return [204, {}, []] if path == '/v1/changes'

    body = read_asked(env)
    raise Trouble.new(403, 'other_site', 'Requests from another site are rejected.') unless env['REQUEST_METHOD'] != 'POST' || own_site?(env)

    socket = connect
    begin
      ask(socket, env, path, body)
      head, rest = read_head(socket)
      answer(env, head, Body.new(socket, rest, env['REQUEST_METHOD'] == 'HEAD'))
    rescue StandardError
      socket.close
      raise
    end
  rescue Trouble => e
    say(e, path)
  rescue SystemCallError, IOError
    say(Trouble.new(502, 'broken', 'The connection to the forecast service was interrupted. Your jobs are not affected.'), path)
  end

  private

  # The prefix of this app, as the portal sets it; a browser cannot change it.
  def prefix(env)
    env['SCRIPT_NAME'].to_s.chomp('/')
  end

  def check(env, path)
    method = env['REQUEST_METHOD']
    raise Trouble.new(405, 'wrong_method', 'Only GET, HEAD and POST are allowed.') unless %w[GET HEAD POST].include?(method)
    raise Trouble.new(404, 'unknown_route', 'There is no such page.') unless path.match?(PATHS)
    raise Trouble.new(414, 'too_large', 'The URL is too long.') if env['QUERY_STRING'].to_s.bytesize > LONGEST_QUERY
    # Spaces and line ends would end the line of the request.
    raise Trouble.new(400, 'bad_request', 'The URL contains invalid characters.') unless env['QUERY_STRING'].to_s.match?(/\A[!-~]*\z/)
    raise Trouble.new(413, 'too_large', "At most #{MOST_ASKED} bytes can be sent.") if env['CONTENT_LENGTH'].to_i > MOST_ASKED
  end

  # A browser sends the portal's cookie with every request, including requests that a page of another site causes.
  def own_site?(env)
    site = env['HTTP_SEC_FETCH_SITE']
    return false unless site.nil? || %w[same-origin none].include?(site)

    origin = env['HTTP_ORIGIN']
    origin.nil? || origin.sub(%r{\Ahttps?://}, '') == env['HTTP_HOST'].to_s
  end

  def connect
    path = ENV['QCAST_SOCKET'].to_s.empty? ? SOCKET : ENV['QCAST_SOCKET']
    until_then = clock + CONNECT_SECONDS
    socket = Socket.new(:UNIX, :STREAM)
    begin
      socket.connect_nonblock(Socket.sockaddr_un(path))
    rescue IO::WaitWritable, Errno::EAGAIN
      raise away if clock > until_then

      sleep 0.02
      retry
    rescue Errno::EISCONN
      nil
    end
    socket
  rescue Errno::EACCES, Errno::EPERM
    socket&.close
    raise Trouble.new(403, 'not_permitted', 'The forecast service does not allow requests from this portal. Please contact your support.')
  rescue SystemCallError, ArgumentError
    socket&.close
    raise away
  end

  def away
    Trouble.new(503, 'away', 'The forecast service does not respond. Your jobs are not affected.')
  end

  # HTTP/1.0, so that the response ends with the connection and can be forwarded in parts.
  def ask(socket, env, path, body)
    query = env['QUERY_STRING'].to_s
    lines = ["#{env['REQUEST_METHOD']} #{path}#{"?#{query}" unless query.empty?} HTTP/1.0", 'Host: localhost']
    ASKED.each do |key, name|
      value = env[key].to_s
      lines << "#{name}: #{value}" if value.match?(/\A[ -~]{1,1024}\z/)
    end
    lines << "Content-Length: #{body.bytesize}" if env['REQUEST_METHOD'] == 'POST'
    socket.write("#{lines.join("\r\n")}\r\n\r\n".b + body)
  end

  # Reads one byte more than the maximum, to measure a body without a length, too. The body is read before any refusal, because a client that is still sending may miss the response.
  def read_asked(env)
    return ''.b unless env['REQUEST_METHOD'] == 'POST'

    body = env['rack.input'] ? env['rack.input'].read(MOST_ASKED + 1).to_s.b : ''.b
    raise Trouble.new(413, 'too_large', "At most #{MOST_ASKED} bytes can be sent.") if body.bytesize > MOST_ASKED

    body
  end

  def read_head(socket)
    until_then = clock + HEAD_SECONDS
    got = ''.b
    until got.include?("\r\n\r\n")
      raise Trouble.new(504, 'too_late', 'The forecast took too long. Retry in a moment.') unless socket.wait_readable([until_then - clock, 0].max)

      part = socket.read_nonblock(16_384, exception: false)
      raise Trouble.new(502, 'broken', 'The connection to the forecast service was interrupted. Your jobs are not affected.') if part.nil? || got.bytesize > MOST_HEAD

      got << part unless part == :wait_readable
    end
    got.split("\r\n\r\n", 2)
  end

  def answer(_env, head, body)
    first, *lines = head.split("\r\n")
    status = first.to_s[%r{\AHTTP/1\.[01] ([2-5][0-9]{2})}, 1]
    raise Trouble.new(502, 'odd', 'The response of the forecast service is invalid.') if status.nil?

    headers = {}
    lines.each do |line|
      name, value = line.split(':', 2)
      name = name.downcase
      headers[name] = value.to_s.strip if ANSWERED.include?(name)
    end
    [status.to_i, headers, body]
  end

  def say(trouble, path)
    if path.start_with?('/v1/', '/openapi')
      type = 'application/json'
      text = JSON.generate(error: { code: trouble.code, message: trouble.message, hint: 'retry in a minute' })
    else
      type = 'text/html; charset=utf-8'
      text = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>When jobs start</title><p>#{ERB::Util.html_escape(trouble.message)}</p></html>\n"
    end
    headers = {
      'content-type' => type, 'content-length' => text.bytesize.to_s, 'cache-control' => 'no-store', 'x-content-type-options' => 'nosniff',
      'content-security-policy' => "default-src 'none'; frame-ancestors 'self'"
    }
    headers['retry-after'] = '60' if trouble.status == 503
    [trouble.status, headers, [text]]
  end

  def clock
    Process.clock_gettime(Process::CLOCK_MONOTONIC)
  end

  # The body of the response, forwarded in parts.
  class Body
    def initialize(socket, rest, is_head)
      @socket = socket
      @rest = rest
      @is_head = is_head
    end

    def each
      return if @is_head

      sent = @rest.bytesize
      yield @rest unless @rest.empty?
      while sent <= MOST_ANSWERED && @socket.wait_readable(BODY_SECONDS)
        part = @socket.read_nonblock(65_536, exception: false)
        break if part.nil?
        next if part == :wait_readable

        sent += part.bytesize
        yield part
      end
    rescue SystemCallError, IOError
      nil # The body is then shorter than content-length, which the browser notices.
    ensure
      close
    end

    def close
      @socket.close unless @socket.closed?
    end
  end
end

run QueuecastApp.new
